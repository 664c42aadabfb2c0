import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.apache.hc.client5.http.HttpRequestRetryStrategy;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

class WithApache {
  /** The client's own strategy repeats no POST of which a response was lost. */
  static class ByRetryAfter implements HttpRequestRetryStrategy {
    @Override
    public boolean retryRequest(HttpRequest request, IOException noResponse, int attempt, HttpContext context) {
      return attempt < 5;
    }

    @Override
    public boolean retryRequest(HttpResponse response, int attempt, HttpContext context) {
      boolean isRetryable = response.containsHeader("Retry-After") || response.getCode() == 429 || response.getCode() >= 500;
      return isRetryable && attempt < 5;
    }

    @Override
    public TimeValue getRetryInterval(HttpRequest request, IOException noResponse, int attempt, HttpContext context) {
      return TimeValue.ofSeconds(2L << attempt - 1);
    }

    @Override
    public TimeValue getRetryInterval(HttpResponse response, int attempt, HttpContext context) {
      Header retryAfter = response.getFirstHeader("Retry-After");
      return TimeValue.ofSeconds((retryAfter == null ? 2L : Long.parseLong(retryAfter.getValue())) << attempt - 1);
    }
  }

  public static void main(String[] args) throws Exception {
    RequestConfig config = RequestConfig.custom().setResponseTimeout(Timeout.ofSeconds(10)).build();
    ObjectMapper json = new ObjectMapper();
    byte[] body = json.writeValueAsBytes(Map.of("id", 9007199254740993L, "name", "Fern"));
    HttpPost request = new HttpPost(System.getenv("BASE_URL") + "/plants");
    request.setHeader("Authorization", "Bearer " + System.getenv("PLANT_STORE_TOKEN"));
    request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
    try (CloseableHttpClient client = HttpClients.custom().setRetryStrategy(new ByRetryAfter())
        .setDefaultRequestConfig(config).build()) {
      String printed = client.execute(request, response -> {
        JsonNode content = json.readTree(response.getEntity().getContent());
        return content.get(response.getCode() == 200 ? "name" : "error").asText();
      });
      System.out.println(printed);
    }
  }
}
