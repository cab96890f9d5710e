import OstiaryWebAuthnFuzzing

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    if let problem = WebAuthnFuzzing.problem(with: input) { preconditionFailure(problem) }
    return 0
}
