import Foundation
import OstiaryContracts
import Testing

@testable import OstiaryClient

struct APIBaseURLTests {
    @Test(arguments: [true, false])
    func `timetracker R1: the base URL is API_BASE_URL of the Info.plist`(isDevelopment: Bool) throws {
        let information: [String: Any] = ["API_BASE_URL": "https://time.example.com/api", "CFBundleName": "Time"]
        let url = try Contract.timetracker.apiBaseURL(in: information, isDevelopment: isDevelopment)
        #expect(url.absoluteString == "https://time.example.com/api")
    }

    @Test(arguments: [true, false])
    func `timetracker R1: it is localhost 3001 where that is missing`(isDevelopment: Bool) throws {
        for information in [nil, [:], ["CFBundleName": "Time"]] as [[String: Any]?] {
            let url = try Contract.timetracker.apiBaseURL(in: information, isDevelopment: isDevelopment)
            #expect(url.absoluteString == "http://localhost:3001")
        }
    }

    @Test func `takes the contract's address for the build where that is missing`() throws {
        #expect(
            try Contract.barqnet.apiBaseURL(in: [:], isDevelopment: true).absoluteString == "http://localhost:8080")
        #expect(
            try Contract.barqnet.apiBaseURL(in: [:], isDevelopment: false).absoluteString
                == "https://api.barqnet.com")
    }

    @Test(arguments: ["", "$(API_BASE_URL)", "https:", "https://", "time.example.com", "3001"])
    func `a setting that was not filled in is no missing one`(text: String) {
        #expect(throws: ClientError.invalidURL(.malformed)) {
            try Contract.timetracker.apiBaseURL(in: ["API_BASE_URL": text])
        }
    }

    @Test func `says so where nobody knows`() {
        #expect(throws: ClientError.self) { try Contract.vici.apiBaseURL(in: ["API_BASE_URL": 3001]) }
        var contract = Contract.vici
        contract.client.developmentBaseURL = nil
        contract.client.productionBaseURL = nil
        #expect(throws: ClientError.self) { try contract.apiBaseURL(in: [:]) }
    }
}
