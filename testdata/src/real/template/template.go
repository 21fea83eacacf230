// Package template fills texts with text/template, in variables and in functions.
package template

import (
	"bytes"
	"context"
	"strings"
	"text/template"

	"github.com/redis/go-redis/v9"
)

var tmpl = template.Must(template.New("lua").Parse(`local n = redis.call('{{.Op}}', KEYS[1], ARGV[1])
if n == nil then return 0 end -- want nil-reply@4 nil-reply@4
return n`))

func script(op string) (*redis.Script, error) {
	var b bytes.Buffer
	if err := tmpl.Execute(&b, map[string]string{"Op": op}); err != nil {
		return nil, err
	}
	return redis.NewScript(b.String()), nil
}

func mustText(op string) string {
	var b strings.Builder
	if err := tmpl.Execute(&b, struct{ Op string }{op}); err != nil {
		panic(err)
	}
	return b.String()
}

func use(ctx context.Context, c redis.UniversalClient) error {
	s, err := script("INCRBY")
	if err != nil {
		return err
	}
	if err := s.Run(ctx, c, []string{"a"}, 1).Err(); err != nil {
		return err
	}
	return c.Eval(ctx, mustText("DECRBY"), []string{"a"}, 1).Err()
}

var _ = use
