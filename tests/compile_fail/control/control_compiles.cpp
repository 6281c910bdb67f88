// expect-error: anything
// SPDX-License-Identifier: BSL-1.0
// A control: this file compiles, so its test must fail.
int main() {}
