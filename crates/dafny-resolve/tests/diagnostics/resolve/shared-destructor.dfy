datatype Reply = Ok(value: int) | Failed(value: string)
