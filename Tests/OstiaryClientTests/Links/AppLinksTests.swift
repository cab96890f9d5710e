import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryClient

@Suite struct AppLinksTests {
    private func read(
        _ address: String, _ contract: Contract = .barqnet, bases: [String] = ["https://app.example.com/go"]
    ) throws -> AppLink? {
        AppLinks(contract: contract, webBases: try bases.map { try BaseURL($0) }).destination(of: address)
    }

    private static let phone = "+15551234567"
    private static func signIn(_ screen: SignInLink.Screen = .signIn, phone: String? = phone) throws -> AppLink {
        .signIn(SignInLink(screen: screen, identifier: try phone.map { .phoneNumber(try PhoneNumber($0)) }))
    }

    @Test(arguments: [
        "barqnet://sign-in?phone=+15551234567", "barqnet://sign-in?phone=%2B15551234567",
        "BARQNET://Sign-In?phone=+15551234567",
        "barqnet://sign-in/?phone_number=+1%20(555)%20123-4567", "barqnet://sign-in?utm=x&phone=+15551234567&&y",
        "barqnet://sign-in?utm=100%&phone=+15551234567",
        "barqnet://sign-in?phone=+15551234567#fragment", "https://app.example.com/go/sign-in?phone=+15551234567",
        "https://APP.example.com:443/go/sign-in/?phone=+15551234567",
    ])
    func `fills in the phone number`(address: String) throws {
        #expect(try read(address) == (try Self.signIn()))
    }

    @Test(arguments: [
        ("register", SignInLink.Screen.register), ("forgot-password", .forgotPassword), ("sign-in", .signIn),
    ])
    func `leads to a screen`(page: String, screen: SignInLink.Screen) throws {
        #expect(try read("barqnet://\(page)") == (try Self.signIn(screen, phone: nil)))
        #expect(try read("https://app.example.com/go/\(page)") == (try Self.signIn(screen, phone: nil)))
    }

    @Test func `takes the token of a device link`() throws {
        let link = AppLink.deviceRecognition(DeviceRecognitionLink(token: Secret("a-_1")))
        #expect(try read("vici://recognize-device?token=a-_1", .vici) == link)
        #expect(try read("vici://recognize-device", .vici) == nil)
        #expect(try read("timetracker://recognize-device?token=a-_1", .timetracker) == nil)
    }

    @Test func `fills in what the contract's people sign in with`() throws {
        let email = AppLink.signIn(
            SignInLink(screen: .signIn, identifier: .email(try EmailAddress("jo+x@example.com"))))
        #expect(try read("vici://sign-in?email=jo+x@example.com", .vici) == email)
        let username = AppLink.signIn(SignInLink(screen: .signIn, identifier: .username(try Username("jö"))))
        #expect(try read("viewvault://sign-in?username=j%C3%B6", .viewvault) == username)
        #expect(try read("timetracker://sign-in?username=jo", .timetracker) == .signIn(SignInLink(screen: .signIn)))
        #expect(try read("barqnet://sign-in?email=jo@example.com") == (try Self.signIn(phone: nil)))
    }

    @Test(arguments: ["15551234567", "", "+1", "+1555123456789012345", "jo@example.com", "%2B1555123456%F0%9F%98%80"])
    func `fills in nothing that is no phone number`(value: String) throws {
        #expect(try read("barqnet://sign-in?phone=\(value)") == (try Self.signIn(phone: nil)))
    }

    @Test(arguments: ["password=hunter22", "otp=123456", "code=1", "token=t", "access_token=t", "verification_token=t"])
    func `reads no secret into a screen`(pair: String) throws {
        #expect(try read("barqnet://sign-in?phone=+15551234567&\(pair)") == (try Self.signIn()))
    }

    @Test(arguments: [
        // Another app's, another site's, another page.
        "other://sign-in", "http://app.example.com/go/sign-in", "https://evil.example.com/go/sign-in",
        "https://app.example.com.evil.com/go/sign-in", "https://app.example.com:444/go/sign-in",
        "https://app.example.com/sign-in", "https://app.example.com/go", "https://app.example.com/gone/sign-in",
        "https://app.example.com/go/../sign-in", "https://app.example.com/go/%2e%2e/sign-in",
        "https://app.example.com/go/sign%2Din", "https://app.example.com/go/sign-in/now", "barqnet://",
        "barqnet://settings",
        "barqnet://sign-in/extra", "barqnet:///sign-in", "barqnet:sign-in", "barqnet://sign-in:80", "sign-in", "",
        "://", "barqnet",
        "barqnet://oauth/callback?code=c&state=s", "javascript://sign-in/%0Aalert(1)",
        // Misleading or unreadable.
        "barqnet://sign-in@evil.example.com", "barqnet://evil@sign-in?phone=+15551234567",
        "https://app.example.com@evil.example.com/go/sign-in", "https://jo:pw@app.example.com/go/sign-in",
        "https://app.example.com\\@evil.example.com/go/sign-in", "barqnet://sign-in?phone=+15551234567\r\nx",
        "barqnet://sign-in?phone=+15551234567%0D%0Ax", "barqnet://sign-in?phone=%00",
        "barqnet://sign-in?phone=%E2%80%AE1",
        "barqnet://sign-in?phone=%", "barqnet://sign-in?phone=%FF", "barqnet://sign-in?%=x",
        "barqnet://sign-in?phone=+15551234567&%C3%A9=x",
        "barqnet://sign-in?phone=\u{202E}1",
        "b\u{430}rqnet://sign-in", " barqnet://sign-in",
        // Twice, or in two ways.
        "barqnet://sign-in?phone=+15551234567&phone=+15557654321",
        "barqnet://sign-in?phone=+15551234567&phone=+15551234567",
        "barqnet://sign-in?phone=+15551234567&phone_number=+15551234567",
        "barqnet://sign-in?phone=+15551234567&%70hone=1",
    ])
    func `ignores what is not of the app, or cannot be read in one way`(address: String) throws {
        #expect(try read(address) == nil)
    }

    @Test func `ignores 100 KB`() throws {
        #expect(try read("barqnet://sign-in?x=" + String(repeating: "y", count: 100_000)) == nil)
        #expect(try read("barqnet://sign-in?x=" + String(repeating: "y", count: 4000)) != nil)
    }

    @Test func `has the app's own schemes where they are named`() throws {
        let links = AppLinks(contract: .barqnet, schemes: ["Com.Barqnet", "https"])
        #expect(links.destination(of: "com.barqnet://sign-in") == (try Self.signIn(phone: nil)))
        #expect(links.destination(of: "barqnet://sign-in") == nil)
        // A web page is one of the app's by its base only.
        #expect(links.destination(of: "https://sign-in") == nil)
    }

    @Test func `has no page that the contract has no use for`() throws {
        #expect(try read("timetracker://register", .timetracker) == nil)
        #expect(try read("timetracker://forgot-password", .timetracker) == nil)
    }

    @Test func `reads what the system hands over`() throws {
        let url = try #require(URL(string: "barqnet://sign-in?phone=+15551234567"))
        #expect(AppLinks(contract: .barqnet).destination(of: url) == (try Self.signIn()))
    }

    // MARK: Password reset

    @Test(arguments: [
        "vici://reset-password?token=ab-C_1.~2", "https://app.example.com/go/reset-password?token=ab-C_1.~2",
        "https://app.example.com/go/reset-password?utm=1&token=ab%2DC_1.~2",
    ])
    func `holds the token of a reset link`(address: String) throws {
        #expect(try read(address, .vici) == .passwordReset(PasswordResetLink(token: Secret("ab-C_1.~2"))))
    }

    @Test(arguments: [
        "vici://reset-password", "vici://reset-password?token=", "vici://reset-password?token=a&token=b",
        "vici://reset-password?token=a%20b", "vici://reset-password?token=%0D%0A", "vici://reset-password?token=%C3%A9",
        "vici://reset-password?token=" + String(repeating: "t", count: 2049), "vici://sign-in/reset-password?token=t",
        "https://evil.example.com/go/reset-password?token=t",
    ])
    func `ignores a reset link without one token`(address: String) throws {
        #expect(try read(address, .vici) == nil)
    }

    @Test func `ignores a reset link where codes are what resets`() throws {
        #expect(try read("barqnet://reset-password?token=t") == nil)
    }

    // MARK: Registration

    @Test(arguments: [
        "vici://confirm-registration?token=ab-C_1.~2",
        "https://app.example.com/go/confirm-registration?utm=1&token=ab%2DC_1.~2",
    ])
    func `holds the token of a link that finishes a registration`(address: String) throws {
        #expect(try read(address, .vici) == .registration(RegistrationLink(token: Secret("ab-C_1.~2"))))
    }

    @Test(arguments: [
        "vici://confirm-registration", "vici://confirm-registration?token=a&token=b",
        "vici://confirm-registration?token=a%20b", "vici://confirm-registration/x?token=t",
        "vici://confirm-registration?token=" + String(repeating: "t", count: 2049),
        "https://evil.example.com/go/confirm-registration?token=t",
    ])
    func `ignores a registration's link without one token`(address: String) throws {
        #expect(try read(address, .vici) == nil)
    }

    @Test(arguments: ["barqnet", "timetracker"])
    func `ignores a registration's link where nothing is confirmed by one`(name: String) throws {
        #expect(try read("\(name)://confirm-registration?token=t", #require(Contract.preset(name))) == nil)
    }

    @Test func `prints neither token nor number`() throws {
        let links = [
            try read("vici://reset-password?token=CaNaRy", .vici),
            try read("vici://confirm-registration?token=CaNaRy", .vici),
            try read("barqnet://sign-in?phone=+15551234567"),
        ]
        var text = "\(links) \(String(reflecting: links))"
        dump(links, to: &text)
        #expect(!text.contains("CaNaRy") && !text.contains("1555123"))
    }
}
