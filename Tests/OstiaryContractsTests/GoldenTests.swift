import OstiaryContracts
import OstiaryCore
import Testing

/// The files under `Golden/` are the originals' own words, so that a mistake shared by both ends is seen.
@Suite struct GoldenTests {
    @Test func `every golden file is checked`() throws {
        let checked = GoldenScenes.all().map(\.name)
        #expect(try Golden.names() == Set(checked))
        #expect(checked.count == Set(checked).count)
    }

    @Test(arguments: GoldenScenes.all()) func `the client writes the request to the byte`(golden: GoldenScene) throws {
        let written = try Codec(golden.contract()).write(golden.scene.call)
        let file = try Golden(golden.name).request
        #expect(written.method == file.method)
        #expect(written.path == file.path)
        #expect(written.query == file.query)
        #expect(written.headers == file.headers)
        #expect(String(decoding: written.body, as: UTF8.self) == String(decoding: file.body, as: UTF8.self))
    }

    @Test(arguments: GoldenScenes.all()) func `the server reads the request`(golden: GoldenScene) throws {
        try expectReading(golden.scene.call, golden)
    }

    private func expectReading<Call: AuthOperation>(_ call: Call, _ golden: GoldenScene) throws {
        let isSame = try Codec(golden.contract()).read(Golden(golden.name).request) as? Call == call
        #expect(isSame)
    }

    @Test(arguments: GoldenScenes.all()) func `the server writes the answer to the byte`(golden: GoldenScene) throws {
        let codec = try Codec(golden.contract())
        let file = try Golden(golden.name).response
        let response =
            switch golden.scene.outcome {
            case .answer(let answer): write(answer, to: golden.scene.call, codec)
            case .refusal(let error): codec.write(error)
            }
        let written = try response.comparable(to: file, failureKey: codec.contract.failureKey)
        #expect(written.status == file.status)
        #expect(written.headers == file.headers)
        #expect(String(decoding: written.body, as: UTF8.self) == String(decoding: file.body, as: UTF8.self))
    }

    private func write(_ answer: some OperationAnswer, to call: some AuthOperation, _ codec: Codec) -> WireResponse {
        codec.write(answer, to: type(of: call).kind)
    }

    @Test(arguments: GoldenScenes.all()) func `the client reads the answer`(golden: GoldenScene) throws {
        try expectAnswer(to: golden.scene.call, golden)
    }

    private func expectAnswer<Call: AuthOperation>(to call: Call, _ golden: GoldenScene) throws {
        let codec = try Codec(golden.contract())
        let response = try Golden(golden.name).response
        switch golden.scene.outcome {
        case .answer(let answer):
            let isSame = try codec.read(response, to: Call.self) == answer as? Call.Answer
            #expect(isSame)
        case .refusal(let error):
            #expect(throws: error) { try codec.read(response, to: Call.self) }
        }
    }
}
