import { type CSSProperties, useEffect, useRef, useState } from 'react'

/** The properties of `DaybookBooking`. */
export interface DaybookBookingProps {
  /** The origin of the Daybook service, such as `https://book.example`. */
  readonly origin: string
  /** The last part of a service's address; the list of services when absent. */
  readonly service?: string
  /** A provider's number, or `any`. */
  readonly provider?: string
  /** `en`, `de`, `es` or `fr`; the browser's language when absent. */
  readonly language?: string
  /** The name of the frame for screen readers. */
  readonly title: string
  readonly className?: string
  readonly style?: CSSProperties
  /**
   * Called with the id of the service when the confirmation is shown; not for bookings that have yet to be paid or
   * confirmed by mail.
   */
  onBooked?(serviceId: string): void
}

const initialHeight = 640
const maxHeight = 20_000

/**
 * Shows the booking page of a Daybook service in place; its height follows the content. The origin of this site must be
 * allowed under Settings → Booking page.
 */
export function DaybookBooking(props: DaybookBookingProps) {
  const { origin, service, provider, language, title, className, style, onBooked } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(initialHeight)
  useEffect(() => {
    const receive = ({ origin: from, source, data }: MessageEvent): void => {
      if (from !== origin || source !== frame.current?.contentWindow || data?.source !== 'daybook') return
      if (data.type === 'height' && Number.isFinite(data.height)) setHeight(Math.min(data.height, maxHeight))
      if (data.type === 'booked') onBooked?.(String(data.serviceId))
    }
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  }, [origin, onBooked])
  const url = new URL(service ? `/book/${encodeURIComponent(service)}/` : '/book/', origin)
  url.searchParams.set('embed', '1')
  if (provider) url.searchParams.set('with', provider)
  if (language) url.searchParams.set('lang', language)
  const shape = { border: 0, width: '100%', height, colorScheme: 'normal', ...style }
  return <iframe ref={frame} src={url.href} title={title} className={className} style={shape} />
}
