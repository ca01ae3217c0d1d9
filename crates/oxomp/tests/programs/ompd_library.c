/* A library that is far from being one of OMPD: it tells a version that does not exist. */
int ompd_get_api_version(unsigned long long *version) {
  *version = 42;
  return 0;
}

int ompd_get_version_string(const char **text) {
  *text = "a library of nothing";
  return 0;
}
