import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

@Suite struct ContractFileTests {
    @Test(arguments: Tested.contracts) func `a contract written as JSON is read back`(contract: Contract) throws {
        #expect(try Contract.read(contract.json().bytes) == contract)
        #expect(try Contract.read(contract.json().prettyText.bytes) == contract)
    }

    @Test func `everything but name, identifier and prefix may be left out`() throws {
        let text = #"{"name": "mine", "rules": {"identifier": "email"}, "prefix": "/api"}"#
        let contract = try Contract.read(text.bytes)
        #expect(contract == Contract(name: "mine", rules: AppRules(identifier: .email), prefix: "/api"))
        #expect(contract.rules.accessTokenSeconds == 3600)
        #expect(contract.endpoint(for: .signIn)?.path == "/login")
    }

    @Test func `the numbers of refresh tokens may be left out`() throws {
        let text = #"{"name": "mine", "rules": {"identifier": "email", "refresh": {}, "claims": {}}, "prefix": ""}"#
        let contract = try Contract.read(text.bytes)
        #expect(contract.rules.refresh == RefreshRules())
        #expect(contract.rules.claims == ClaimRules())
    }

    @Test func `a file without signing and variables has the server's keys and the general variables`() throws {
        let text = #"{"name": "mine", "rules": {"identifier": "email", "environment": {}}, "prefix": ""}"#
        let rules = try Contract.read(text.bytes).rules
        #expect(rules.accessTokenSigning == .es256)
        #expect(rules.environment == EnvironmentRules())
        #expect(
            rules.environment
                == EnvironmentRules(
                    accessTokenSecret: "JWT_SECRET", refreshTokenSecret: "JWT_REFRESH_SECRET",
                    accessTokenSeconds: "JWT_EXPIRES_IN_SECONDS", refreshTokenSeconds: "JWT_REFRESH_EXPIRES_IN_SECONDS",
                    overridesFile: false))
    }

    @Test func `a file asks for a shared secret and names its variables`() throws {
        let text = #"""
            {"name": "mine", "prefix": "", "rules": {
                "identifier": "email", "refresh": {"form": "jwt"}, "accessTokenSigning": "hs256",
                "environment": {"accessTokenSecret": "MINE", "refreshTokenSecret": "mine_2", "overridesFile": true}}}
            """#
        let rules = try Contract.read(text.bytes).rules
        #expect(rules.accessTokenSigning == .hs256)
        #expect(
            rules.environment
                == EnvironmentRules(accessTokenSecret: "MINE", refreshTokenSecret: "mine_2", overridesFile: true))
    }

    @Test func `the rules of vici are in its file`() throws {
        let rules = try #require(try Contract.vici.json()["rules"])
        #expect(rules["accessTokenSigning"] == "hs256")
        #expect(rules["refresh"]?["form"] == "jwt")
        let environment = try #require(rules["environment"])
        #expect(environment["accessTokenSecret"] == "JWT_SECRET")
        #expect(environment["refreshTokenSecret"] == "JWT_REFRESH_SECRET")
        #expect(environment["accessTokenSeconds"] == "JWT_EXPIRES_IN_SECONDS")
        #expect(environment["refreshTokenSeconds"] == "JWT_REFRESH_EXPIRES_IN_SECONDS")
        #expect(environment["overridesFile"] == true)
    }

    @Test func `null is as good as absent`() throws {
        let text =
            #"{"name": "mine", "rules": {"identifier": "email", "refresh": null}, "prefix": "", "envelope": null}"#
        #expect(try Contract.read(text.bytes).envelope == nil)
    }

    @Test(arguments: [
        ("", "not a JSON file: it is empty"), ("{", "not a JSON file: it cannot be read, in line 1, column 2"),
        ("{\n  \"name\": \"a\",\n  'prefix': ''\n}", "not a JSON file: it cannot be read, in line 3, column 3"),
        ("{\n  \"name\": \"é\", 'prefix': ''\n}", "not a JSON file: it cannot be read, in line 2, column 16"),
        ("\n", "not a JSON file: it cannot be read, in line 2, column 1"),
        ("\u{FEFF}{}", "not a JSON file: it begins with a byte order mark"), ("[]", "wrong type"),
        (String(repeating: " ", count: 1 << 20) + "{}", "larger than 1048576 bytes"),
        ("{}", "lacks name"), (#"{"name": "a"}"#, "lacks rules"),
        (#"{"name": "a", "rules": {}, "prefix": ""}"#, "rules: lacks identifier"),
        (#"{"name": "a", "name": "b"}"#, "the name name stands twice in one object, in line 1, column 15"),
        (#"{"name": 1, "rules": {"identifier": "email"}, "prefix": ""}"#, "name: is of the wrong type"),
        (
            #"{"name": "a", "rules": {"identifier": "emial"}, "prefix": ""}"#,
            "rules.identifier: has a value that is not allowed"
        ),
        (#"{"name": "a", "rules": {"identifier": "email"}}"#, "lacks prefix"),
    ]) func `a file that is none says why`(text: String, reason: String) { expectProblem(text, reason) }

    /// Each is put into a contract that is otherwise in order.
    private static let slips: [(String, String)] = [
        (#""colour": 1"#, "unknown key colour"), (#""endpoint": {}"#, "unknown key endpoint"),
        (#""envelope": {"successKey": "a", "dataKey": "b", "c": "d"}"#, "unknown key envelope.c"),
        (#""envelope": {"successKey": "a"}"#, "envelope: lacks dataKey"),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "take": []}}"#,
            "unknown key endpoints.signIn.take"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "answers": {"fields": ["accessToken"], "message": "x"}}}"#,
            "endpoints.signIn.answers: one of fields, message,"
        ),
        (#""endpoints": {"signIn": {"path": "/in"}}"#, "endpoints.signIn: lacks method"),
        (#""endpoints": {"signIn": {"method": "BREW", "path": "/in"}}"#, "endpoints.signIn.method: "),
        (#""endpoints": {"signIn": {"method": "POST", "path": 7}}"#, "endpoints.signIn.path: is of the wrong type"),
        (
            #""endpoints": {"signUp": {"method": "POST", "path": "/in"}}"#,
            "endpoints.signUp: there is no such operation"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "takes": ["emial", "password"]}}"#,
            "there is no field named emial"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "answers": {}}}"#,
            "endpoints.signIn.answers: one of fields"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "answers": {"fields": ["accessToken"], "nothing": true}}}"#,
            "endpoints.signIn.answers: one of fields, message, \"redirect\": true, \"nothing\": true is needed, and no other"
        ),
        (
            #""endpoints": {"signOut": {"method": "POST", "path": "/out", "answers": {"message": "bye", "redirect": false}}}"#,
            "endpoints.signOut.answers: one of fields"
        ),
        (#""names": {"emial": "e"}"#, "names.emial: there is no such field"), (#""naming": "kebab"# + "\"", "naming: "),
        (#""user": ["id", "nose"]"#, "there is no field named nose"),
        (#""without": ["signing"]"#, "without.Index 0: "),
        (#""names": {"email": "x", "email": "y"}"#, "the name email stands twice"),
        // Contradictions.
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/register"}}"#,
            "signIn and register are both POST /api/register"
        ),
        (#""endpoints": {"endSession": {"method": "GET", "path": "/{sessionId}"}}"#, "both"),
        (#""endpoints": {"signIn": {"method": "POST", "path": "in"}}"#, "endpoints.signIn.path: begins with /"),
        (#""endpoints": {"signIn": {"method": "POST", "path": "/in?x=1"}}"#, "endpoints.signIn.path: needs escapes"),
        (#""endpoints": {"signIn": {"method": "POST", "path": "/a//b"}}"#, "endpoints.signIn.path: "),
        (#""endpoints": {"signIn": {"method": "POST", "path": "/../b"}}"#, "endpoints.signIn.path: "),
        (#""endpoints": {"signIn": {"method": "POST", "path": "/é"}}"#, "endpoints.signIn.path: "),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/{nose}"}}"#,
            "endpoints.signIn.path: {nose} is no field"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/{email"}}"#,
            "endpoints.signIn.path: {email is no field"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/{roles}"}}"#,
            "endpoints.signIn.path: {roles} cannot stand here"
        ),
        (
            #""endpoints": {"endSession": {"method": "DELETE", "path": "/session"}}"#,
            "endpoints.endSession.takes: endSession needs sessionId"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "takes": ["email"]}}"#,
            "endpoints.signIn.takes: signIn needs password"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "takes": ["username", "password"]}}"#,
            "endpoints.signIn.takes: signIn needs email"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "takes": ["email", "password", "domain"]}}"#,
            "signIn has no use for domain"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "takes": ["email", "password", "password"]}}"#,
            "two fields are called password"
        ),
        (#""endpoints": {"signIn": {"method": "GET", "path": "/in"}}"#, "password cannot stand in the query of a GET"),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "names": {"email": "password"}}}"#,
            "two fields are called password"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "names": {"email": ""}}}"#,
            "email has an empty name"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "answers": {"message": "hello"}}}"#,
            "endpoints.signIn.answers: signIn answers with fields"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "answers": {"nothing": true}}}"#,
            "endpoints.signIn.answers: "
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "answers": {"redirect": true}}}"#,
            "signIn is no redirect"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "answers": {"fields": ["user"]}}}"#,
            "signIn needs accessToken"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "answers": {"fields": ["accessToken", "sessions"]}}}"#,
            "signIn has no sessions"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "status": 404}}"#,
            "endpoints.signIn.status: 200 to 299"
        ),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in", "status": 204}}"#,
            "endpoints.signIn.status: a 204 has no body"
        ),
        (#""endpoints": {"refresh": {"method": "POST", "path": "/more"}}"#, "endpoints.refresh"),
        (
            #""endpoints": {"signIn": {"method": "POST", "path": "/in"}}, "without": ["signIn"]"#,
            "without: signIn is also in endpoints"
        ),
        (#""user": ["email"]"#, "user: id is required"), (#""user": ["id?"]"#, "user: id is required"),
        (#""user": ["id", "password"]"#, "user: password is not a field of a user"),
        (#""names": {"fullName": "email"}"#, "two fields are called email"),
        (#""names": {"platform": "device_id"}"#, "two fields are called device_id"),
        (#""failureKey": """#, "failureKey"), (#""failureKey": "code""#, "failureKey"),
        (#""failureKey": "retry_after""#, "failureKey"),
        (#""envelope": {"successKey": "a", "dataKey": "a"}"#, "envelope: "),
        (#""envelope": {"successKey": "error", "dataKey": "a"}"#, "envelope: "),
        (#""messages": {"wrong_pasword": "x"}"#, "messages: there is no refusal wrong_pasword"),
        (#""socialProviders": ["a/b"]"#, "socialProviders: a/b"),
    ]

    @Test(arguments: slips) func `a slip is told with its place`(member: String, reason: String) {
        expectProblem(
            "{\"name\": \"a\", \"rules\": {\"identifier\": \"email\"}, \"prefix\": \"/api\", \(member)}", reason)
    }

    @Test(arguments: [
        (#"{"name": "", "rules": {"identifier": "email"}, "prefix": ""}"#, "name: "),
        (#"{"name": "A b", "rules": {"identifier": "email"}, "prefix": ""}"#, "name: "),
        (#"{"name": "a", "rules": {"identifier": "email"}, "prefix": "api"}"#, "prefix: "),
        (#"{"name": "a", "rules": {"identifier": "email"}, "prefix": "/api/"}"#, "prefix: "),
        (#"{"name": "a", "rules": {"identifier": "email"}, "prefix": "/{id}"}"#, "prefix: "),
        (#"{"name": "a", "rules": {"identifier": "email", "accessTokenSeconds": 0}, "prefix": ""}"#, "rules: "),
        (#"{"name": "a", "rules": {"identifier": "email", "refresh": {"seconds": -1}}, "prefix": ""}"#, "rules: "),
        (
            #"{"name": "a", "rules": {"identifier": "email", "registersWithCode": true}, "prefix": ""}"#,
            "rules.registersWithCode: "
        ),
        (
            #"{"name": "a", "rules": {"identifier": "email", "refresh": {"secs": 1}}, "prefix": ""}"#,
            "unknown key rules.refresh.secs"
        ),
        (
            #"{"name": "a", "rules": {"identifier": "email", "refresh": {}}, "prefix": "", "endpoints": {"signIn": {"method": "POST", "path": "/in", "answers": {"fields": ["accessToken"]}}}}"#,
            "signIn needs refreshToken"
        ),
        (
            #"{"name": "a", "rules": {"identifier": "phoneNumber", "registersWithCode": true}, "prefix": "", "endpoints": {"register": {"method": "POST", "path": "/in", "takes": ["phoneNumber", "password"]}}}"#,
            "register needs code"
        ),
    ]) func `a contradiction in the rules is told with its place`(text: String, reason: String) {
        expectProblem(text, reason)
    }

    @Test(arguments: [
        (#""accessTokenSigning": "rs256""#, "rules.accessTokenSigning: es256 or hs256"),
        (#""accessTokenSigning": "none""#, "rules.accessTokenSigning: es256 or hs256"),
        (#""accessTokenSigning": true"#, "rules.accessTokenSigning: is of the wrong type"),
        (#""signing": "hs256""#, "unknown key rules.signing"),
        (#""environment": {"secret": "A"}"#, "unknown key rules.environment.secret"),
        (#""environment": "A""#, "rules.environment: is of the wrong type"),
        (#""environment": {"overridesFile": 1}"#, "rules.environment.overridesFile: is of the wrong type"),
        (#""environment": {"accessTokenSecret": ""}"#, "rules.environment.accessTokenSecret: letters, digits and _"),
        (#""environment": {"accessTokenSecret": "A-B"}"#, "rules.environment.accessTokenSecret: letters, digits and _"),
        (#""environment": {"refreshTokenSecret": "1A"}"#, "environment.refreshTokenSecret: letters, digits and _ only"),
        (#""environment": {"refreshTokenSecret": "É"}"#, "environment.refreshTokenSecret: letters, digits and _ only"),
        (#""environment": {"accessTokenSeconds": "="}"#, "environment.accessTokenSeconds: letters, digits and _ only"),
        (
            #""environment": {"refreshTokenSeconds": "OSTIARY_X"}"#,
            "rules.environment.refreshTokenSeconds: variables that begin with OSTIARY_ are keys"
        ),
        (
            #""environment": {"refreshTokenSecret": "JWT_SECRET"}"#,
            "rules.environment.refreshTokenSecret: JWT_SECRET is also the variable of accessTokenSecret"
        ),
        (
            #""environment": {"accessTokenSecret": "A", "refreshTokenSeconds": "A"}"#,
            "rules.environment.refreshTokenSeconds: A is also the variable of accessTokenSecret"
        ),
    ]) func `a slip in signing and variables is told with its place`(member: String, reason: String) {
        expectProblem(
            "{\"name\": \"a\", \"rules\": {\"identifier\": \"email\", \(member)}, \"prefix\": \"/api\"}", reason)
    }

    private func expectProblem(_ text: String, _ reason: String, _ location: SourceLocation = #_sourceLocation) {
        do {
            _ = try Contract.read(text.bytes)
            Issue.record("\(text) is read without a complaint", sourceLocation: location)
        } catch {
            #expect("\(error)".contains(reason), sourceLocation: location)
        }
    }

    @Test func `a contract made in code is checked when it is put to use`() {
        let contract = Contract(name: "Mine", rules: AppRules(identifier: .email), prefix: "")
        #expect(throws: ContractProblem.self) { try Codec(contract) }
    }

    @Test(arguments: Contract.presets) func `a preset is found by its name`(contract: Contract) {
        #expect(Contract.preset(contract.name) == contract)
    }

    @Test func `no preset is found by another name`() { #expect(Contract.preset("orchard") == nil) }

    @Test(arguments: Contract.presets) func `a preset contradicts itself nowhere`(contract: Contract) throws {
        _ = try Codec(contract)
    }
}
