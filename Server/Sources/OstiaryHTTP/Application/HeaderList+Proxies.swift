extension HeaderList {
    /// `true` if a proxy states that it forwarded the request, which may then originate on any machine.
    ///
    /// Source: RFC 9110 §7.6.3 (Via), RFC 7239 §4 (Forwarded), and the headers that preceded it.
    var cameThroughProxy: Bool {
        contains("via") || contains("forwarded") || contains(namePrefix: "x-forwarded-") || contains("x-real-ip")
    }
}
