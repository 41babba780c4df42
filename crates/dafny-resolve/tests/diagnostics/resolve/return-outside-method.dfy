type Odd = n: int |
  var two := assert 1 < 2 by {
    return;
  } 2;
  n % two == 1 witness 1
