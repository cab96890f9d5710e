import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryClient

@Suite struct DeviceInfoTests {
    private func version(_ release: String?) -> String? { OperatingSystem(release: release, kernel: "Linux").version }

    @Test func `names a Linux system as it names itself`() {
        let release = """
            # A comment="no"
            NAME="Ubuntu"
            VERSION_ID='24.04'
            PRETTY_NAME="Ubuntu 24.04.2 LTS"
            HOME_URL="https://www.ubuntu.com/?a=b"
            """
        let system = OperatingSystem(release: release, kernel: "Linux")
        #expect(system == OperatingSystem(name: "Linux", version: "Ubuntu 24.04.2 LTS"))
    }

    @Test(arguments: [
        ("NAME=Alpine\nVERSION_ID=3.20\n", "Alpine 3.20"), ("NAME=\"Arch Linux\"\n", "Arch Linux"),
        ("PRETTY_NAME=\"\nNAME=x", "\""), ("PRETTY_NAME=\"\"\nNAME=x", "x"),
    ])
    func `makes do with what there is`(release: String, expected: String) { #expect(version(release) == expected) }

    @Test(arguments: [nil, "", "\n\n", "NAME", "=", "#NAME=x", "\u{0}\u{1}=\u{2}"])
    func `says nothing where the system does not`(release: String?) { #expect(version(release) == nil) }

    @Test func `is what a server takes`() {
        let device = DeviceInfo(
            deviceID: nil,
            OperatingSystem(name: "Linux", version: "a\u{7}\u{202E}b" + String(repeating: "é", count: 200)),
            appVersion: "\n")
        #expect(device.osVersion == "ab" + String(repeating: "é", count: 99))
        #expect(device.platform == "Linux" && device.appVersion == nil && device.deviceID == nil)
    }

    @Test func `says of this machine what it is called, and of its user nothing`() {
        let device = DeviceInfo.ofThisDevice(deviceID: "d")
        #expect(device.platform?.isEmpty == false && device.osVersion?.isEmpty == false && device.deviceID == "d")
    }

    @Test func `makes up an id each time`() {
        #expect(Set((0..<100).map { _ in DeviceInfo.randomID() }).count == 100)
        #expect(DeviceInfo.randomID().utf8.count == 36)
    }

    @Test(arguments: Contract.presets)
    func `is sent where the contract has a place for it, and nowhere else`(contract: Contract) throws {
        let codec = try Codec(contract)
        guard codec.endpoint(for: .signIn) != nil else { return }
        let identifier: Identifier =
            switch contract.rules.identifier {
            case .email: .email(try EmailAddress("jo@example.com"))
            case .phoneNumber: .phoneNumber(try PhoneNumber("+15551234567"))
            case .username, .subject: .username(try Username("jo"))
            }
        let request = try codec.write(
            SignIn(identifier: identifier, password: Secret("p"), device: .ofThisDevice(deviceID: "CaNaRy")))
        let isSent = String(decoding: request.body, as: UTF8.self).contains("CaNaRy")
        #expect(isSent == (contract.name == "clarity") && isSent == codec.takesDevice(in: .signIn))
    }
}
