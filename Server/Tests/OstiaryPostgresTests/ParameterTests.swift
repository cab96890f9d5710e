import OstiaryPostgres
import Testing

@Suite struct ParameterTests {
    @Test func `encodes integers in network order`() {
        #expect(Int64(-2).encoded == [255, 255, 255, 255, 255, 255, 255, 254])
        #expect(258.encoded == [0, 0, 0, 0, 0, 0, 1, 2])
    }

    @Test func `keeps the type of a null`() {
        let nothing: (any PostgresParameter) = String?.none
        #expect(type(of: nothing).typeID == String.typeID)
        #expect(nothing.encoded == nil)
    }

    @Test func `encodes arrays of texts and the empty array`() {
        #expect(["ab"].encoded == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 97, 98])
        #expect([String]().encoded == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25])
    }
}
