import OstiaryEngine
import Testing

/// The headers of W3C Trace Context, which any client can write.
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let valid = "00-\(trace)-00f067aa0ba902b7-01"

    @Test func `reads a traceparent and writes it again`() throws {
        let context = try #require(TraceContext(traceparent: [Self.valid]))
        #expect(context.traceID == Self.trace && context.spanID == "00f067aa0ba902b7" && context.state == nil)
        #expect(context.traceparent == Self.valid)
    }

    @Test(arguments: [
        ("00", false), ("01", true), ("02", false), ("03", true), ("fe", false), ("ff", true), ("0a", false),
        ("0b", true),
    ])
    func `reads the sampled flag and ignores the others`(flags: String, isSampled: Bool) throws {
        let context = try #require(TraceContext(traceparent: ["00-\(Self.trace)-00f067aa0ba902b7-\(flags)"]))
        #expect(context.isSampled == isSampled)
    }

    @Test(arguments: ["", "-", "-later", "-a-b"]) func `reads a later version as this one`(rest: String) {
        let context = TraceContext(traceparent: ["cc-\(Self.trace)-00f067aa0ba902b7-01\(rest)"])
        #expect(context?.traceparent == Self.valid)
    }

    @Test(arguments: [
        [], [valid, valid], [""], ["00"], [String(valid.dropLast())], ["\(valid)-"], ["\(valid)0"],
        [valid.uppercased()], [" \(valid)"], ["ff-\(trace)-00f067aa0ba902b7-01"],
        ["00-00000000000000000000000000000000-00f067aa0ba902b7-01"], ["00-\(trace)-0000000000000000-01"],
        ["0-\(trace)-00f067aa0ba902b7-001"], ["00_\(trace)-00f067aa0ba902b7-01"], ["0g-\(trace)-00f067aa0ba902b7-01"],
        ["00-\(trace)-00f067aa0ba902b7-0x"], ["00-4bf92f3577b34da6a3ce929d0e0e473\u{E9}-00f067aa0ba902b7-01"],
        ["cc-\(trace)-00f067aa0ba902b7-01later"],
        ["cc-\(trace)-00f067aa0ba902b7-01-\(String(repeating: "a", count: 300))"],
        [String(repeating: "0", count: 1 << 20)],
    ])
    func `is nil for a malformed traceparent`(values: [String]) {
        #expect(TraceContext(traceparent: values) == nil)
    }

    @Test(arguments: [
        (["a=1"], "a=1"), (["a=1,b=2"], "a=1,b=2"), (["a=1", "b=2"], "a=1,b=2"), (["a=1 ,\t b= 2"], "a=1,b= 2"),
        (["a=1,,b=2,"], "a=1,b=2"), (["1a@b=x"], "1a@b=x"), (["a_-*/0=!~"], "a_-*/0=!~"),
    ])
    func `keeps the members of a tracestate`(values: [String], state: String) {
        #expect(TraceContext(traceparent: [Self.valid], tracestate: values)?.state == state)
    }

    @Test(arguments: [
        "", ",", "a", "a=", "=1", "A=1", "1a=1", "a=1,a=2", "a=b=c", "a=\u{E9}", "a=\u{7F}", "a b=1", "a@b@c=1", "@a=1",
        "a@=1", "a=\(String(repeating: "x", count: 511))",
        (1...33).map { "a\($0)=1" }.joined(separator: ","), "\(String(repeating: "a", count: 257))=1",
    ])
    func `discards a malformed tracestate without its traceparent`(state: String) throws {
        let context = try #require(TraceContext(traceparent: [Self.valid], tracestate: [state]))
        #expect(context.state == nil && context.traceparent == Self.valid)
    }
}
