import Testing

@testable import OstiaryHTTP

@Suite struct RenderedDocumentTests {
    @Test func `PT-43: renders a document once, however often it is asked for`() {
        let document = RenderedDocument()
        var renderings = 0
        for _ in 0..<100 {
            let bytes = document.bytes(for: "https://auth.example.com") {
                renderings += 1
                return [UInt8(renderings)]
            }
            #expect(bytes == [1])
        }
        #expect(renderings == 1)
    }

    @Test func `PT-43: renders it again for another place`() {
        let document = RenderedDocument()
        #expect(document.bytes(for: "a") { [1] } == [1])
        #expect(document.bytes(for: "b") { [2] } == [2])
    }
}
