// Package text has the ways in which Go code holds a script.
package text

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// A constructor in a package variable.
var inVar = redis.NewScript(`return 'var'`)

// A constant, and one of other constants.
const (
	head     = "local k = KEYS[1]\n"
	inConst  = `return 'const'`
	combined = head + `return k`
)

// A struct that holds scripts.
type repo struct {
	db     redis.UniversalClient
	script *redis.Script
	src    string
	shas   map[string]string
}

func newRepo(db redis.UniversalClient) *repo {
	return &repo{db: db, script: redis.NewScript(`return 'field'`), src: `return 'src field'`, shas: map[string]string{}}
}

func (r *repo) run(ctx context.Context) {
	r.script.Run(ctx, r.db, nil)
	r.db.Eval(ctx, r.src, nil)
}

// Maps by a literal name.
var byName = map[string]*redis.Script{
	"a": redis.NewScript(`return 'map a'`),
	"b": redis.NewScript(`return 'map b'`),
}

var texts = map[string]string{"c": `return 'map c'`, "d": `return 'map d'`}

// A table of structs.
var table = []struct {
	name string
	src  string
}{
	{"one", `return 'table one'`},
	{name: "two", src: `return 'table two'`},
}

// Scripts grouped in a struct variable.
var group = struct{ get, set *redis.Script }{
	get: redis.NewScript(`return 'group get'`),
	set: redis.NewScript(`return 'group set'`),
}

// A package-level Sprintf of constants.
var formatted = redis.NewScript(fmt.Sprintf(`return %q .. '%d'`, "formatted", 7))

// A function that returns a script, and one that returns a text.
func made() *redis.Script { return redis.NewScript(`return 'made'`) }

func source(ro bool) string {
	if ro {
		return `return 'ro'`
	}
	return `return 'rw'`
}

// Set in init.
var later *redis.Script

func init() { later = redis.NewScript(`return 'init'`) }

// Pointers by name.
var pa, pb *redis.Script

var pointers = map[string]**redis.Script{"pa": &pa, "pb": &pb}

func load() {
	pa = redis.NewScript(`return 'pa'`)
	pb = redis.NewScript(`return 'pb'`)
}

func all(ctx context.Context, db redis.UniversalClient, id string, flag bool) {
	inVar.Run(ctx, db, nil)
	db.Eval(ctx, inConst, nil)
	db.Eval(ctx, combined, []string{"k"})
	newRepo(db).run(ctx)
	byName["a"].Run(ctx, db, nil)
	byName[id].Run(ctx, db, nil)
	db.Eval(ctx, texts["d"], nil)
	for _, row := range table {
		db.Eval(ctx, row.src, nil)
	}
	group.set.Run(ctx, db, nil)
	formatted.Run(ctx, db, nil)
	made().Run(ctx, db, nil)
	db.Eval(ctx, source(flag), nil)
	later.Run(ctx, db, nil)
	load()
	(*pointers["pb"]).Run(ctx, db, nil)

	local := `return 'local'`
	db.Eval(ctx, local, nil)
	const inside = `return 'local const'`
	db.Eval(ctx, inside, nil)
	object := redis.NewScript(`return 'local object'`)
	object.Run(ctx, db, nil)

	chosen := inVar
	if flag {
		chosen = group.get
	}
	chosen.Run(ctx, db, nil)

	db.Eval(ctx, `return '`+id+`'`, nil)                                             // want script-text-varies@26
	db.Eval(ctx, fmt.Sprintf(`return redis.call('GET', '%s:%d')`, id, len(id)), nil) // want numkeys@78 script-text-varies@64
	db.Eval(ctx, strings.ReplaceAll(`return '$ID'`, "$ID", id), nil)                 // want script-text-varies@57
	db.Eval(ctx, strings.TrimSpace(`
		return 'trimmed'
	`), nil)

	var b strings.Builder
	b.WriteString("return 1")
	db.Eval(ctx, b.String(), nil)
	grown := `return `
	grown += id // want script-text-varies@11
	db.Eval(ctx, grown, nil)
}

// language=lua
var marked = `return KEYS[1]`

func mark() []string {
	return []string{
		//redislint:script keys=2 args=1
		`return KEYS[2] .. ARGV[1]`,
		marked,
	}
}

var _, _ = all, mark
