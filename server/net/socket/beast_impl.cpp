// The one translation unit that holds Beast's separately compiled part.
#include <boost/beast/src.hpp>
