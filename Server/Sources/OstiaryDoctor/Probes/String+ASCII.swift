extension String {
    /// Creates a text of what another host sent, with `?` for each byte that is not ASCII: comparing marks by canonical
    /// equivalence is quadratic.
    init<Bytes: Sequence<UInt8>>(ascii bytes: Bytes) {
        self.init(decoding: bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
