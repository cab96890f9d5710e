#if Metrics
#endif
