import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryHTTP

struct BrowserCookieTests {
    private static let value = PageSample.browser.reveal()
    private static let plain = {
        var frame = PageSample.frame
        frame.isSecure = false
        return frame
    }()

    private func read(_ cookie: String?, frame: Branding = PageSample.frame) -> String? {
        var request = WireRequest(method: "GET", path: "/")
        request.headers["cookie"] = cookie
        return BrowserCookie.value(in: request, frame: frame)?.reveal()
    }

    @Test func `is set for this host alone, over TLS alone, and kept from scripts`() {
        #expect(
            BrowserCookie.setting(PageSample.browser, frame: PageSample.frame)
                == "__Host-ostiary-browser=\(Self.value); Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure")
    }

    @Test func `has a name that browsers take without TLS where there is none`() {
        #expect(
            BrowserCookie.setting(PageSample.browser, frame: Self.plain)
                == "ostiary-browser=\(Self.value); Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax")
    }

    @Test func `is found among other cookies`() {
        #expect(read("__Host-ostiary-browser=\(Self.value)") == Self.value)
        #expect(read("a=b; __Host-ostiary-browser=\(Self.value); c=d=e; f") == Self.value)
        #expect(read("a=b;__Host-ostiary-browser=\(Self.value)") == Self.value)
        #expect(read("ostiary-browser=\(Self.value)", frame: Self.plain) == Self.value)
    }

    @Test func `has no other name`() {
        #expect(read("ostiary-browser=\(Self.value)") == nil)
        #expect(read("__Host-ostiary-browser=\(Self.value)", frame: Self.plain) == nil)
        #expect(read("__host-ostiary-browser=\(Self.value)") == nil)
        #expect(read("x__Host-ostiary-browser=\(Self.value)") == nil)
        #expect(read(nil) == nil)
        #expect(read("") == nil)
    }

    @Test func `is not believed if it comes twice`() {
        #expect(read("__Host-ostiary-browser=\(Self.value); __Host-ostiary-browser=\(Self.value)") == nil)
        #expect(read("__Host-ostiary-browser=x; __Host-ostiary-browser=\(Self.value)") == nil)
    }

    @Test(arguments: [
        "", "x", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
        String(repeating: "A", count: 42) + "!", String(repeating: "A", count: 42) + "=",
        "\"" + String(repeating: "A", count: 41) + "\"",
        String(repeating: "ä", count: 43),
    ])
    func `is not believed if we cannot have made it`(value: String) {
        #expect(read("__Host-ostiary-browser=\(value)") == nil)
    }

    @Test func `is 32 random bytes`() {
        let system = SystemDependencies(now: { .now }, randomBytes: { [UInt8](repeating: 9, count: $0) })
        #expect(BrowserCookie.fresh(system) == PageSample.browser)
        #expect(BrowserCookie.fresh(.system) != BrowserCookie.fresh(.system))
        #expect(read("__Host-ostiary-browser=\(BrowserCookie.fresh(.system).reveal())") != nil)
    }
}
