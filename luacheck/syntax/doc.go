// Package syntax reads Lua as Redis and Valkey load it: Lua 5.1 with the bundled patches, the `#!lua` header, and the limits of the
// servers' compiler.
//
// It takes a Source (text, and the spans whose text is unknown) and gives a Chunk: a tree in which every node and every token has a
// byte span, the comments, the header, and the errors in the servers' own words. It recovers after an error, so a chunk is useful even
// when it does not load; Chunk.Body is never nil.
//
// It refuses to know what names mean, what the server offers, and anything about Go.
package syntax
