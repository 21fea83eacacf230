// Package lua holds scripts, and imports no client.
package lua

import "embed"

//go:embed add.lua
var Add string // want Add:"embeds add.lua"

//go:embed take.lua
var Take []byte // want Take:"embeds take.lua"

// FS holds all of them.
//
//go:embed *.lua
var FS embed.FS // want FS:"embeds *.lua"

// Count is no file.
var Count = "return redis.call('SCARD', KEYS[1])" // want Count:"text return redis.call('SCARD', KEYS[1])"

// Other is given another value.
var Other = "return redis.call('SCARD', KEYS[1])"

// Set gives it.
func Set(s string) { Other = s }

// Text is no script.
var Text = "hello"
