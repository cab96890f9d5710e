import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// Account attributes from the client's API to the engine and back, in every preset.
@Suite struct TestServerAttributeTests {
    private func rules() throws -> TestServerRules {
        var rules = TestServerRules()
        rules.attributes = try AttributeDefinitions([
            AttributeDefinition("avatar_url", .string, access: .owner, maximum: 500),
            AttributeDefinition("plan", .string, isVisible: true, allowed: ["free", "pro"]),
            AttributeDefinition("internal_note", .string),
        ])
        return rules
    }

    @Test func `a registration and a profile update carry attributes`() async throws {
        let server = try TestServer(.vici, rules: rules())
        let auth = try server.client()
        let session = try await auth.register(
            email: "jo@example.com", password: "correct horse 7 battery", attributes: ["avatar_url": "a"])
        #expect(session.user?.attributes == ["avatar_url": "a"])
        let user = try await auth.updateProfile(name: "Jo", attributes: ["avatar_url": "b"])
        #expect(user.attributes == ["avatar_url": "b"] && user.fullName?.text == "Jo")
        #expect(auth.currentUser?.attributes["avatar_url"]?.string == "b")
        try server.setAttributes(["plan": "pro", "internal_note": "x"], of: "jo@example.com")
        #expect(try await auth.refreshUser().attributes == ["avatar_url": "b", "plan": "pro"])
        #expect(server.user("jo@example.com")?.attributes["plan"] == "pro")
        try server.setAttributes(["plan": nil], of: "jo@example.com")
        #expect(try await auth.refreshUser().attributes["plan"] == nil)
    }

    @Test func `registrations by username and by code carry attributes`() async throws {
        let viewvault = try TestServer(.viewvault, rules: rules())
        let byName = try await viewvault.client().register(
            username: "jo", email: "jo@example.com", password: "correct horse 7 battery",
            attributes: ["avatar_url": "a"])
        #expect(byName.user?.attributes == ["avatar_url": "a"])
        let barqnet = try TestServer(.barqnet, rules: rules())
        let auth = try barqnet.client()
        let code = try await auth.requestCode(for: "+15551234567")
        let digits = try #require(barqnet.code(for: "+15551234567"))
        let byCode = try await auth.register(
            code: code, digits: digits, password: "correct horse 7 battery", attributes: ["avatar_url": "a"])
        #expect(byCode.user?.attributes == ["avatar_url": "a"])
    }

    @Test(arguments: Contract.presets) func `the user of an account has its visible attributes`(contract: Contract)
        async throws
    {
        guard contract.rules.identifier != .subject else { return }
        let server = try TestServer(contract, rules: rules())
        let isPhone = contract.rules.identifier == .phoneNumber
        let isName = contract.rules.identifier == .username
        try server.addAccount(
            email: isPhone ? nil : "jo@example.com", username: isName ? "jo" : nil,
            phoneNumber: isPhone ? "+15551234567" : nil, password: "correct horse 7 battery",
            attributes: ["plan": "pro", "internal_note": "x", "avatar_url": "a"])
        let auth = try server.client()
        switch contract.rules.identifier {
        case .phoneNumber: try await auth.signIn(phoneNumber: "+15551234567", password: "correct horse 7 battery")
        case .username: try await auth.signIn(username: "jo", password: "correct horse 7 battery")
        default: try await auth.signIn(email: "jo@example.com", password: "correct horse 7 battery")
        }
        #expect(try await auth.refreshUser().attributes == ["plan": "pro", "avatar_url": "a"])
    }

    @Test func `the client names the attribute that was refused`() async throws {
        let server = try TestServer(.vici, rules: rules())
        let auth = try server.client()
        try await auth.register(email: "jo@example.com", password: "correct horse 7 battery")
        await #expect(throws: ClientError.refused(.invalidAttribute("plan", .readOnly))) {
            try await auth.updateProfile(attributes: ["plan": "pro"])
        }
        let long = AttributeValue.string(String(repeating: "x", count: 501))
        await #expect(throws: ClientError.refused(.invalidAttribute("avatar_url", .tooLong(maximum: 500)))) {
            try await auth.updateProfile(attributes: ["avatar_url": long])
        }
        #expect(
            ClientError.refused(.invalidAttribute("plan", .readOnly)).description
                == "Only an administrator can set the plan.")
        await #expect(throws: ClientError.refused(.malformedRequest)) {
            try await auth.updateProfile(attributes: ["password": "x"])
        }
        #expect(try await auth.updateProfile(attributes: ["other": "x"]).attributes == [:])
    }

    @Test func `a route of the app sees the attributes`() async throws {
        let server = try TestServer(.vici, rules: rules())
        try server.addAccount(
            email: "jo@example.com", password: "correct horse 7 battery", attributes: ["plan": "pro"])
        server.route("GET", "/plan") { visit in .json("\"\(visit.user.attributes["plan"]?.string ?? "")\"") }
        let auth = try server.client()
        try await auth.signIn(email: "jo@example.com", password: "correct horse 7 battery")
        let plan: String = try await auth.get("/plan")
        #expect(plan == "pro")
    }
}
