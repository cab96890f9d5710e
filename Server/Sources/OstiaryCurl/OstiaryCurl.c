#include "OstiaryCurl.h"
