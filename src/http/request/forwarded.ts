const forwarding =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-original-.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-envoy-.*|x-proxyuser-ip|x-host|x-rewrite-url|x-azure-.*|x-appengine-.*|x-arr-.*|x-amzn-.*|x-amz-cf-.*|true-client-ip|client-ip|forwarded-for|front-end-https|cf-.*|cdn-loop|fastly-.*|fly-.*)$/

/**
 * Whether a request has a header that proxies, load balancers or CDNs add. If it has, the client may be on another
 * machine than the peer of the connection.
 */
export function isForwarded(headers: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(headers).some((name) => forwarding.test(name))
}
