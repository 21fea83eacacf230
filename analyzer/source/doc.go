// Package source turns Go expressions into texts whose every byte keeps its place: literals, constants, concatenations, format strings and
// embedded files become a Text, and a Text maps byte offsets of a script to positions in Go or Lua files and edits back to them.
//
// It takes the syntax and types of one package (an Index of what each variable, field and function result is defined as) and gives Texts
// with holes where the bytes are not known. It is the only code that knows token.Pos inside Lua. It refuses to know client libraries,
// rules, and what a text is used for.
package source
