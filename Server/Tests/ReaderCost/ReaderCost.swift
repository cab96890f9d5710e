/// Passes every hostile input to every reader at the given sizes, for `Scripts/check-reader-cost.py`, which counts the
/// instructions of each `measuredRead` under callgrind. Prints a line for each: the reader, the input, the size.
@main struct ReaderCost {
    static func main() throws {
        #if DEBUG
        let arguments = CommandLine.arguments.dropFirst()
        let sizes = arguments.compactMap { Int($0) }
        let names = arguments.filter { Int($0) == nil }
        for reader in try Reader.all() where names.isEmpty || names.contains(reader.name) {
            for input in HostileInput.allCases {
                // Initialization that happens once in the process is not a cost of the input.
                reader.read(reader.input(input, 256))
                for size in sizes {
                    let bytes = reader.input(input, size)
                    print("\(reader.name)\t\(input.rawValue)\t\(size)")
                    measuredRead { reader.read(bytes) }
                }
            }
        }
        #else
        print("needs a debug build, for what the readers keep to themselves")
        #endif
    }
}

@inline(never)
func measuredRead(_ body: () -> Void) { body() }
