package syntax

// holeCases are texts with holes; the mask marks the hole bytes with '?'.
var holeCases = []struct{ text, mask string }{
	{`return redis.call('GET', '%s')`, `                          ??`},
	{`return %s`, `       ??`},
}
