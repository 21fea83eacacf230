package rules

import "github.com/redislint/redislint/luacheck"

// matching is a call of an example with one key, whose caller looks for the text in errors.
func matching(text string) []luacheck.Site {
	return []luacheck.Site{{Mode: luacheck.ModeEval, Library: "go-redis", Callee: "Run",
		Keys:   luacheck.List{Items: make([]luacheck.Element, 1), Exact: true, Min: 1, Max: 1},
		Args:   luacheck.List{Exact: true},
		Result: luacheck.Use{Decode: luacheck.DecodeNone, Method: "Err", ErrTexts: []string{text}}}}
}
