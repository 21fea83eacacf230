// Package arena is memory that one analysis of a script after another uses: values of one type from large pieces, and lists.
//
// It gives zero values and takes all of them back at once. It refuses to know what the values are and when one of them is not needed any more.
package arena
