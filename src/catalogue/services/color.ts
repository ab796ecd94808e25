const names = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson currentcolor cyan darkblue darkcyan darkgoldenrod
  darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
  darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
  firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
  hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
  lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid
  mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream
  mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen
  paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue
  saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen
  steelblue tan teal thistle tomato transparent turquoise violet wheat white whitesmoke yellow yellowgreen`.split(
    /\s+/,
  ),
)

const hex = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const number = '[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)'
const part = { rgb: `${number}%?`, hue: `${number}(?:deg|grad|rad|turn)?`, percent: `${number}%?` }

/**
 * Builds the pattern of a CSS colour function with up to 80 characters in parentheses: three components separated by
 * commas or blanks, and an optional alpha value.
 */
function call(name: string, first: string, rest: string): RegExp {
  const alpha = part.percent
  const commas = `${first}\\s*,\\s*${rest}\\s*,\\s*${rest}(?:\\s*,\\s*${alpha})?`
  const blanks = `${first}\\s+${rest}\\s+${rest}(?:\\s*/\\s*${alpha})?`
  return new RegExp(`^${name}a?\\((?=.{1,80}\\)$)\\s*(?:${commas}|${blanks})\\s*\\)$`, 'is')
}

const rgb = call('rgb', part.rgb, part.rgb)
const hsl = call('hsl', part.hue, part.percent)

/**
 * Whether a text is a colour in one of the supported CSS notations: `#RGB` or `#RRGGBB` (each optionally with alpha), a
 * name, `rgb()`, `rgba()`, `hsl()` or `hsla()`.
 */
export function isColor(text: string): boolean {
  return hex.test(text) || names.has(text.toLowerCase()) || rgb.test(text) || hsl.test(text)
}
