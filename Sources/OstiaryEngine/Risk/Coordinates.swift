import Foundation

/// A place on the earth, with the radius within which it is accurate.
public struct Coordinates: Codable, Hashable, Sendable {
    /// In degrees, north of the equator.
    public var latitude: Double
    /// In degrees, east of Greenwich.
    public var longitude: Double
    /// In kilometres.
    public var radiusKilometers: Double

    /// Creates coordinates from their parts.
    public init(latitude: Double, longitude: Double, radiusKilometers: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.radiusKilometers = radiusKilometers
    }

    /// The least distance between two places that their accuracy leaves, in kilometres, on a sphere of the earth's mean radius.
    func leastDistance(to other: Coordinates) -> Double {
        let radians = Double.pi / 180
        let latitudes = (latitude * radians, other.latitude * radians)
        let halfLatitude = sin((latitudes.1 - latitudes.0) / 2)
        let halfLongitude = sin((other.longitude - longitude) * radians / 2)
        let square =
            halfLatitude * halfLatitude + cos(latitudes.0) * cos(latitudes.1) * halfLongitude * halfLongitude
        let distance = 2 * 6371 * asin(min(1, square.squareRoot()))
        return max(0, distance - radiusKilometers - other.radiusKilometers)
    }

    /// The same place to a tenth of a degree, some ten kilometres, as it is kept.
    var coarse: Coordinates {
        Coordinates(
            latitude: (latitude * 10).rounded() / 10, longitude: (longitude * 10).rounded() / 10,
            radiusKilometers: max(10, radiusKilometers.rounded(.up)))
    }
}
