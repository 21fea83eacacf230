// Package syntax reads Lua as Redis and Valkey load it: Lua 5.1 with the bundled patches, the `#!lua` header, and the limits of the
// servers' compiler.
//
// It takes a Source (text, and the spans whose text is unknown) and gives a Chunk: a tree in which every node has a byte span, the
// comments, the header, and the errors in the servers' own words. It recovers after an error, so a chunk is useful even when it does
// not load; Chunk.Body is never nil. Scan gives the bare tokens, Walk visits a tree, Lines turns offsets into lines and columns.
//
// How it is made:
//   - scan*.go read tokens as llex.c does, with its oddities (a NUL behind a digit, `\q` is q).
//   - parse*.go are the grammar, in the order of lparser.c, so that each error shows where the server meets it.
//   - limits*.go follow registers, constants, upvalues and jumps as lcode.c would emit them, because a script can be refused for those.
//     That is done only for a script that comes near a limit by a rough estimate, in a second reading.
//   - recover.go reports errors and finds the statement to go on with; feature.go names what foreign text most likely meant.
//
// The first error is the server's, by message and line: tested against the answers of seven servers in testdata/dialect.jsonl. Further
// errors are reported only where the parser found a sure place to go on.
//
// It refuses to know what names mean, what the server offers, whether a header's engine and flags are right, and anything about Go.
package syntax
