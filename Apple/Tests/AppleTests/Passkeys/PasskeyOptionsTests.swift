import Foundation
import Testing

@testable import OstiaryClient

struct PasskeyOptionsTests {
    @Test func `reads a server's options for a registration`() throws {
        let json = #"""
            {"rp": {"id": "auth.example.com", "name": "Example"}, "challenge": "-_8B",
             "user": {"id": "Aw", "name": "jo", "displayName": "Jo"}, "timeout": 60000, "attestation": "none",
             "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
             "authenticatorSelection": {"userVerification": "required"},
             "excludeCredentials": [{"type": "public-key", "id": "CQ"}]}
            """#
        #expect(
            try PasskeyRegistrationOptions(json: Data(json.utf8))
                == PasskeyRegistrationOptions(
                    relyingPartyID: "auth.example.com", challenge: Data([0xFB, 0xFF, 0x01]), userID: Data([3]),
                    userName: "jo", displayName: "Jo", userVerification: .required, excludedCredentials: [Data([9])]))
    }

    @Test func `reads a server's options for a sign-in`() throws {
        let json = #"{"rpId": "auth.example.com", "challenge": "AQI", "userVerification": "a word of the future"}"#
        #expect(
            try PasskeyAssertionOptions(json: Data(json.utf8))
                == PasskeyAssertionOptions(relyingPartyID: "auth.example.com", challenge: Data([1, 2])))
    }

    @Test(arguments: [
        "", "[]", #"{"rpId": "a"}"#, #"{"rpId": "", "challenge": "AQI"}"#, #"{"rpId": "a", "challenge": ""}"#,
        #"{"rpId": "a", "challenge": "AQI="}"#, #"{"rpId": "a", "challenge": "AQ+/"}"#,
        #"{"rpId": 1, "challenge": "AQI"}"#,
        #"{"rpId": "a", "challenge": "AQI", "challenge": "AQM"}"#,
        #"{"rpId": "a", "challenge": "AQI", "allowCredentials": [{}]}"#,
        #"{"rpId": "a", "challenge": "AQI", "allowCredentials": {}}"#,
    ])
    func `takes no options that lack something or can be read in two ways`(json: String) {
        #expect(throws: ClientError.self) { try PasskeyAssertionOptions(json: Data(json.utf8)) }
    }
}
