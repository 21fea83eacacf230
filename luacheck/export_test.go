package luacheck

import "github.com/redislint/redislint/luacheck/arena"

// Watch makes a Scratch show what is void, and never use it again.
func (m *Scratch) Watch(stale arena.Stale) {
	m.syntax.Stale, m.scope.Stale, m.value.Stale = stale, stale, stale
}
