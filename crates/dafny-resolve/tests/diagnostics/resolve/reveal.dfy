method M(p: int)
{
  reveal 0;
}
