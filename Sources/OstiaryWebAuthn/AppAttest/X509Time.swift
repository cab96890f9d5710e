/// Times in certificates. Source: RFC 5280 §4.1.2.5.
enum X509Time {
    /// Returns the seconds since 1970 at which a validity begins and ends; nil for times in another form, or in the wrong
    /// order.
    static func range(_ validity: DERElement) -> ClosedRange<Int64>? {
        var times = DERReader(validity.content)
        guard let first = times.next().flatMap(seconds), let last = times.next().flatMap(seconds), times.isAtEnd,
            first <= last
        else { return nil }
        return first...last
    }

    /// Returns the seconds since 1970 of a `UTCTime` or a `GeneralizedTime`, both with seconds and in UTC.
    static func seconds(_ element: DERElement) -> Int64? {
        let digitsOfYear: Int
        switch element.tag {
        case DERElement.Tag.utcTime: digitsOfYear = 2
        case DERElement.Tag.generalizedTime: digitsOfYear = 4
        default: return nil
        }
        var text = element.content
        guard text.count == digitsOfYear + 11, text.popLast() == UInt8(ascii: "Z"),
            text.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        func number(_ count: Int) -> Int64 {
            defer { text = text.dropFirst(count) }
            return text.prefix(count).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        var year = number(digitsOfYear)
        if digitsOfYear == 2 { year += year < 50 ? 2000 : 1900 }
        let (month, day, hour, minute, second) = (number(2), number(2), number(2), number(2), number(2))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60 else { return nil }
        return days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Returns the days from 1970-01-01 to a date of the Gregorian calendar, counted in years that begin in March, so that
    /// the leap day is the last one.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month > 2 ? year : year - 1
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
