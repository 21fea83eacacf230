// Package lua embeds files and fills them in when the program starts.
package lua

import (
	_ "embed"
	"os"
	"strings"
)

//go:embed get.lua
var Get string

//go:embed get.lua
var Raw []byte

//go:embed set.lua
var Set string // want Set:"embeds set.lua"

// Prefix is for those who set it.
var Prefix = "local prefix = ''\n"

func init() {
	Get = strings.ReplaceAll(Get, "$KEY", "KEYS[1]")
	Raw = []byte(strings.ReplaceAll(string(Raw), "$KEY", os.Getenv("KEY")))
}
