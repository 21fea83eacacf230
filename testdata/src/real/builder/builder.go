// Package builder puts texts together with strings.Builder, +=, bytes.Buffer and Fprintf.
package builder

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

const prelude = `local function exists(k) return redis.call('EXISTS', k) == 1 end
`

var fromBuilder = redis.NewScript(build())

func build() string {
	var b strings.Builder
	b.WriteString(prelude)
	b.WriteString(`if exists(KEYS[1]) then `)
	b.WriteString(`return redis.call('GET', KEYS[2]) `)
	b.WriteString("end return false")
	return b.String()
}

func sum() string {
	s := prelude
	s += `if exists(KEYS[1]) then return 1 end `
	s += `return redis.call('GET', KEYS[2])`
	return s
}

func buffer() string {
	buf := &bytes.Buffer{}
	buf.WriteString(prelude)
	fmt.Fprintf(buf, "return redis.call('GET', KEYS[%d])", 3)
	fmt.Fprintln(buf)
	buf.WriteByte('\n')
	return buf.String()
}

func use(ctx context.Context, c redis.UniversalClient) {
	fromBuilder.Run(ctx, c, []string{"a"}) // want numkeys@26
	c.Eval(ctx, sum(), []string{"a"})      // want numkeys@21
	c.Eval(ctx, buffer(), []string{"a"})   // want numkeys@24
}

var _ = use
