package journal_test

const childVariable = "JOURNAL_TEST_CHILD"

func childRun(string) {}
