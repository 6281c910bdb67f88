// expect-error: the words of quite another mistake
// SPDX-License-Identifier: BSL-1.0
// A control: this file has an error, but not the expected one, so its test must fail.
int main() {
  return undeclared_name;
}
