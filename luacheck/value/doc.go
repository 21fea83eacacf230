// Package value finds what each expression of a script may be at each point: kinds, constants, number ranges, and where it came from.
//
// It takes a parsed script with its scopes, a target and what is known of KEYS and ARGV, and gives Facts: the calls of redis.call with
// their arguments, the operations, conditions and returns with their values, and the ways in which the script may fail, each with the
// writes that may have happened before. Rules read facts; they never look at conditions or scopes themselves.
//
// It refuses to know rules, severities and messages, and anything about Go. Where it cannot tell it says "anything".
package value
