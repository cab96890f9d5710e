#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// A closed outline from the path data of an SVG file, in a square.
///
/// Reads the commands that the marks of ``ProviderMark`` use: `M`, `L`, `H`, `V`, `C`, `S` and `Z`, absolute and
/// relative. Source: SVG 1.1 §8.3.
struct MarkOutline: Shape {
    /// The steps of the outline, in a square of side 1.
    enum Step: Equatable, Sendable {
        case move(CGPoint)
        case line(CGPoint)
        case curve(CGPoint, CGPoint, CGPoint)
        case close
    }

    let steps: [Step]

    /// Reads an outline from path data.
    ///
    /// - Parameters:
    ///   - data: The path data. Everything after an unreadable command is ignored.
    ///   - side: The side of the square that the data is drawn in.
    init(_ data: String, side: CGFloat) {
        var reader = OutlineReader(data, side: side)
        while reader.takeNext() {}
        steps = reader.steps
    }

    nonisolated func path(in rect: CGRect) -> Path {
        let side = min(rect.width, rect.height)
        let (left, top) = (rect.midX - side / 2, rect.midY - side / 2)
        func place(_ point: CGPoint) -> CGPoint { CGPoint(x: left + point.x * side, y: top + point.y * side) }
        var path = Path()
        for step in steps {
            switch step {
            case .move(let point): path.move(to: place(point))
            case .line(let point): path.addLine(to: place(point))
            case .curve(let first, let second, let end):
                path.addCurve(to: place(end), control1: place(first), control2: place(second))
            case .close: path.closeSubpath()
            }
        }
        return path
    }
}

/// A reader of an SVG file's path data, one command at a time.
private struct OutlineReader {
    private(set) var steps: [MarkOutline.Step] = []
    private let side: CGFloat
    private var rest: Substring
    private var command: Character = "M"
    private var current = CGPoint.zero
    private var start = CGPoint.zero
    /// The reflected control point, with which a smooth curve begins.
    private var mirrored: CGPoint?

    init(_ data: String, side: CGFloat) {
        self.side = side
        rest = data[...]
    }

    /// Reads the next command.
    ///
    /// - Returns: `false` at the end, and at unreadable data.
    mutating func takeNext() -> Bool {
        skipSeparators()
        guard let first = rest.first else { return false }
        if first.isLetter { command = rest.removeFirst() }
        let origin = command.isLowercase ? current : .zero
        let control = mirrored
        mirrored = nil
        switch command {
        case "M", "m":
            guard let end = point(from: origin) else { return false }
            steps.append(.move(unit(end)))
            (current, start) = (end, end)
        case "L", "l":
            guard let end = point(from: origin) else { return false }
            line(to: end)
        case "H", "h":
            guard let x = number() else { return false }
            line(to: CGPoint(x: origin.x + x, y: current.y))
        case "V", "v":
            guard let y = number() else { return false }
            line(to: CGPoint(x: current.x, y: origin.y + y))
        case "C", "c":
            guard let first = point(from: origin), let second = point(from: origin), let end = point(from: origin)
            else { return false }
            curve(first, second, end)
        case "S", "s":
            guard let second = point(from: origin), let end = point(from: origin) else { return false }
            curve(control ?? current, second, end)
        case "Z", "z":
            guard first.isLetter else { return false }
            steps.append(.close)
            current = start
        default: return false
        }
        return true
    }

    private mutating func line(to end: CGPoint) {
        steps.append(.line(unit(end)))
        current = end
    }

    private mutating func curve(_ first: CGPoint, _ second: CGPoint, _ end: CGPoint) {
        steps.append(.curve(unit(first), unit(second), unit(end)))
        current = end
        mirrored = CGPoint(x: 2 * end.x - second.x, y: 2 * end.y - second.y)
    }

    private func unit(_ point: CGPoint) -> CGPoint { CGPoint(x: point.x / side, y: point.y / side) }

    private mutating func point(from origin: CGPoint) -> CGPoint? {
        guard let x = number(), let y = number() else { return nil }
        return CGPoint(x: origin.x + x, y: origin.y + y)
    }

    /// Reads a number. It ends at a separator, a sign, a letter, or a second decimal point.
    private mutating func number() -> CGFloat? {
        skipSeparators()
        var text = ""
        while let next = rest.first,
            next.isWholeNumber || (next == "-" && text.isEmpty) || (next == "." && !text.contains("."))
        {
            text.append(rest.removeFirst())
        }
        return Double(text).map { CGFloat($0) }
    }

    private mutating func skipSeparators() { rest = rest.drop { $0 == " " || $0 == "," } }
}
#endif
