import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconUserX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useRead, useWrite } from '../../data/queries.ts'

/**
 * Lists the customers who asked for the deletion of their data, with a button that declines the request; renders
 * nothing when there are none.
 */
export function DeletionRequests() {
  const { t } = useTranslation()
  const { data } = useRead('GET /customers/deletion-requests/', {})
  const decline = useWrite('POST /customers/deletion-requests/decline/', ['GET /customers/deletion-requests/'])
  const requests = data?.requests ?? []
  if (requests.length === 0) return null
  const drop = (id: string) =>
    void decline.mutateAsync({ body: { id } }).then(() => toast(t('customers.deletionDeclined')), toastError)
  return (
    <Alert icon={<IconUserX size={18} />} title={t('customers.deletionRequests')} mb="md">
      <Text size="sm">{t('customers.deletionText')}</Text>
      <Stack gap="xs" component="ul" p={0} mt="xs" style={{ listStyle: 'none' }}>
        {requests.map(({ customerId, name, email, requestedAt }) => (
          <Group key={customerId} component="li" justify="space-between" gap="xs">
            <Text size="sm" className="breakable">
              <PanelLink to="/customers" search={{ open: customerId }}>
                {name || email}
              </PanelLink>{' '}
              · {email} · <Timestamp at={requestedAt} />
            </Text>
            <Button
              variant="default"
              size="xs"
              disabled={decline.isPending}
              aria-label={t('customers.deletionDeclineOf', { name: name || email })}
              onClick={() => drop(customerId)}
            >
              {t('customers.deletionDecline')}
            </Button>
          </Group>
        ))}
      </Stack>
    </Alert>
  )
}
