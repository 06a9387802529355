// The one translation unit that holds Boost.JSON's separately compiled part, so that fuzzers instrument it too.
#include <boost/json/src.hpp>
