package issuer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class Issuer {
  public static void main(String[] args) {
    SpringApplication.run(Issuer.class, args);
  }
}
