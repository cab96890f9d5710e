#if NIO
#endif
