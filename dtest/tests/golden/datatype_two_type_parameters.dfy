datatype Either<A, B> = Left(a: A) | Right(b: B)

function Flip<A, B>(e: Either<A, B>): Either<B, A> {
  match e
  case Left(a) => Right(a)
  case Right(b) => Left(b)
}
