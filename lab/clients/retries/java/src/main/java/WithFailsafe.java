import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.failsafe.ExecutionContext;
import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

class WithFailsafe {
  static final RetryPolicy<HttpResponse<String>> RETRIES = RetryPolicy.<HttpResponse<String>>builder()
      .handle(ExecutionException.class, TimeoutException.class)
      .handleResultIf(response -> retryAfter(response) != null || response.statusCode() == 429 || response.statusCode() >= 500)
      .withMaxAttempts(5)
      .withDelayFn(WithFailsafe::pause)
      .build();

  static String retryAfter(HttpResponse<String> response) {
    return response == null ? null : response.headers().firstValue("Retry-After").orElse(null);
  }

  static Duration pause(ExecutionContext<HttpResponse<String>> context) {
    String seconds = retryAfter(context.getLastResult());
    return Duration.ofSeconds((seconds == null ? 2 : Long.parseLong(seconds)) << context.getAttemptCount() - 1);
  }

  public static void main(String[] args) throws Exception {
    ObjectMapper json = new ObjectMapper();
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("BASE_URL") + "/plants"))
        .header("Authorization", "Bearer " + System.getenv("PLANT_STORE_TOKEN"))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(Map.of("id", 9007199254740993L, "name", "Fern"))))
        .build();
    // The timeout of an HttpRequest would end with the headers of the response.
    HttpResponse<String> response = Failsafe.with(RETRIES)
        .get(() -> client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).get(10, TimeUnit.SECONDS));
    JsonNode content = json.readTree(response.body());
    System.out.println(content.get(response.statusCode() == 200 ? "name" : "error").asText());
  }
}
