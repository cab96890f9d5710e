extension String {
    /// The text in snake case, for example `phone_number` for `phoneNumber`. Other characters than ASCII letters stay.
    package var snakeCased: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 4)
        for byte in utf8 {
            if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
                bytes.append(UInt8(ascii: "_"))
                bytes.append(byte | 0x20)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
