// Package yamltext reads YAML that people write, and says of all that is wrong with
// it where it is and what was expected: line, column, and the key that was probably
// meant. Keys must be known and are there once, aliases are refused, and a text has
// one document of bounded size.
package yamltext
