// SPDX-License-Identifier: GPL-3.0-or-later
// Owns the precompiled headers that the tests of a folder share.
int main() {}
