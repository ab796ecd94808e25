/**
 * The access token and the host of malformed requests, and the customer name by which a test recognises that the
 * service has executed a request smuggled in one of them.
 */
export interface Smuggling {
  readonly token: string
  readonly host: string
  /** A name that no customer has, which the smuggled request would store. */
  readonly mark: string
}

/**
 * Returns malformed requests by the name of their defect, and first a valid one; each is followed by a smuggled request
 * that would add a customer.
 */
export function hostileRequests({ token, host, mark }: Smuggling): ReadonlyMap<string, string> {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const body = JSON.stringify({ name: mark, email: `${mark}@example.com` })
  const start = 'POST /api/v1/customers/add/ HTTP/1.1'
  const own = `Host: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
  const hidden = `${start}\r\n${own}Content-Length: ${body.length}\r\n\r\n${body}`
  const post = (headers: string, rest = body) => `${start}\r\n${own}${headers}\r\n\r\n${rest}${hidden}`
  const get = (line: string, headers = `Host: ${host}`) => `${line}\r\n${headers}\r\n\r\n${hidden}`
  const length = `Content-Length: ${body.length}`
  const chunked = 'Transfer-Encoding: chunked'
  const whole = `${chunk(body)}0\r\n\r\n`
  return new Map([
    ['nothing wrong', post(length)],
    ['a length and chunks', post(`${length}\r\n${chunked}`, whole)],
    ['chunks and a length', post(`${chunked}\r\nContent-Length: 4`, whole)],
    ['chunks and a length of 0', post(`${chunked}\r\nContent-Length: 0`, whole)],
    ['two lengths that differ', post(`${length}\r\nContent-Length: 0`)],
    ['two lengths that agree', post(`${length}\r\n${length}`)],
    ['two lengths in one', post(`${length}, ${body.length}`)],
    ['a length with a sign', post(`Content-Length: +${body.length}`)],
    ['a length below nothing', post('Content-Length: -1')],
    ['a length in another base', post('Content-Length: 0x10')],
    ['a length that no number holds', post('Content-Length: 99999999999999999999999')],
    ['a length that is no number', post('Content-Length: all')],
    ['an empty length', post('Content-Length:')],
    ['a length and an unknown coding', post(`${length}\r\nTransfer-Encoding: cow`)],
    ['chunks that are not the last coding', post('Transfer-Encoding: chunked, identity', whole)],
    ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', whole)],
    ['chunks under another name', post('Transfer-Encoding: xchunked', whole)],
    ['chunks behind a control character', post('Transfer-Encoding: \u000bchunked', whole)],
    ['a chunk of no size', post(chunked, `zz\r\n${body}\r\n0\r\n\r\n`)],
    ['a chunk of a size below nothing', post(chunked, `-1\r\n${body}\r\n0\r\n\r\n`)],
    ['a chunk of a size that no number holds', post(chunked, `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`)],
    ['a chunk whose size has a prefix', post(chunked, `0x${chunk(body)}0\r\n\r\n`)],
    ['a chunk whose size ends in a bare line feed', post(chunked, `${chunk(body).replace('\r\n', '\n')}0\r\n\r\n`)],
    ['a chunk that is longer than it says', post(chunked, `5\r\n${body}\r\n0\r\n\r\n`)],
    ['a chunk with a bare line feed in its extension', post(chunked, `5;a\nb\r\n${body.slice(0, 5)}\r\n0\r\n\r\n`)],
    ['line ends of a bare line feed', post(length).replaceAll('\r\n', '\n')],
    ['one line end of a bare line feed', post(`X-A: b\n${length}`)],
    ['a bare carriage return in a value', post(`X-A: b\rX-B: c\r\n${length}`)],
    ['a folded header', post(`X-A: b\r\n c\r\n${length}`)],
    ['a header folded with a tab', post(`X-A: b\r\n\tc\r\n${length}`)],
    ['a first header that is folded', `${start}\r\n X-A: b\r\n${own}${length}\r\n\r\n${body}${hidden}`],
    ['a space before a colon', post(`Content-Length : ${body.length}`)],
    ['a header without a colon', post(`X-A\r\n${length}`)],
    ['a header without a name', post(`: b\r\n${length}`)],
    ['a name with a space', post(`X A: b\r\n${length}`)],
    ['NUL in a value', post(`X-A: b\0c\r\n${length}`)],
    ['two hosts', post(`Host: other.example\r\n${length}`)],
    ['two hosts that agree', post(`Host: ${host}\r\n${length}`)],
    ['no host', get('GET /api/v1/auth/verify/ HTTP/1.1', 'X-A: b')],
    ['TRACE', get('TRACE /api/v1/auth/verify/ HTTP/1.1')],
    ['CONNECT', get(`CONNECT ${host} HTTP/1.1`)],
    ['a method in small letters', get('get /api/v1/auth/verify/ HTTP/1.1')],
    ['an unknown method', get('COOK /api/v1/auth/verify/ HTTP/1.1')],
    ['a space in the address', get('GET /api/v1/auth/verify/ /x HTTP/1.1')],
    ['a tab for a space', get('GET\t/api/v1/auth/verify/\tHTTP/1.1')],
    ['no version', get('GET /api/v1/auth/verify/')],
    ['a version that is not there', get('GET /api/v1/auth/verify/ HTTP/9.9')],
    ['the next version’s first words', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`],
    ['bytes of TLS', `\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003${hidden}`],
    ['an address of 20 KB', get(`GET /${'a'.repeat(20_000)} HTTP/1.1`)],
    ['a header of 20 KB', post(`X-A: ${'b'.repeat(20_000)}\r\n${length}`)],
    ['4,000 headers', post(`${'a:b\r\n'.repeat(4_000)}${length}`)],
  ])
}
