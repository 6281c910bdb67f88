// expect-error: quoted_source_only
// SPDX-License-Identifier: BSL-1.0
// A control: the expected words stand in the quoted source and in no diagnostic, so its test must
// fail.
int quoted_source_only() {
  return undeclared_name;
}
