// An allocator setting that makes a use of freed memory show at once, also where no sanitizer looks on.

/** For the server's environment: the C library fills memory that is freed, and keeps none of it back for the next caller. */
export const POISON = { GLIBC_TUNABLES: 'glibc.malloc.tcache_count=0:glibc.malloc.perturb=165' };
