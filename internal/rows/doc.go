// Package rows cuts text files into rows with named fields: JSON Lines, one JSON
// array of objects, and tables. It reads row by row, and holds no more than one row
// of at most [Max] bytes.
package rows
