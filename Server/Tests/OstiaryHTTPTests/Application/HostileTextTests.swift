import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryHTTP

/// The server's own readers, with text whose comparison takes more than linear time.
@Suite struct HostileTextTests {
    private static let marks = "a" + String(repeating: "\u{315}\u{300}", count: 2000)

    @Test func `PT-01: takes no such name or value from a query or a form`() {
        for text in ["\(Self.marks)=1", "email=\(Self.marks)", "email=\(PercentEncoding.encode(Self.marks))"] {
            #expect(ProviderParameters.read("client_id=x&\(text)") == nil)
            let values = FormValues("client_id=x&\(text)")
            #expect(values["client_id"] == "x")
            #expect(values["email"] == nil)
        }
    }

    @Test func `PT-01: reads what is around it in a header`() {
        let request = WireRequest(
            method: "GET", path: "/", headers: ["cookie": "\(Self.marks)=1; ostiary-browser=v; x=\(Self.marks)"])
        #expect(request.cookie("ostiary-browser") == "v")
        // At most 2,000 bytes of a header are read.
        let marks = String(decoding: Self.marks.utf8.prefix(600), as: UTF8.self)
        let languages = QualityList("\(marks), de;q=0.5, \(marks);q=0")
        #expect(languages.wanted.map(\.value) == ["de"])
        #expect(!FormMediaType.isForm(Self.marks))
        #expect(!FormMediaType.isForm("application/x-www-form-urlencoded\(Self.marks)"))
        #expect(FormMediaType.isForm(" Application/X-WWW-Form-Urlencoded; charset=\(Self.marks)"))
    }

    @Test func `PT-01: takes an address that holds marks for none`() throws {
        let trust = ProxyTrust(proxies: [])
        #expect(trust.client(peer: .unspecified, forwarded: [Self.marks]) == .unspecified)
    }
}
